// Names that code gives to what it imports, put back: after `import os as o`, `o.popen` is `os.popen`.
import type { Language } from '../unwrap/inner.ts';

const MAX_NAMES = 20;

/** The module, or the thing in it, that each name stands for. */
type Names = Map<string, string>;

/** Code with literals as §n§ in, the same out. */
export function withoutAliases(code: string, texts: readonly string[], language: Language): string {
  if (language !== 'python' && language !== 'javascript') return code;
  const names = language === 'python' ? pythonNames(code, texts) : scriptNames(code, texts);
  let plain = code;
  for (const [name, meant] of [...names].slice(0, MAX_NAMES)) {
    if (name === meant) continue;
    const use = new RegExp(`(?<![.\\w$])${name.replaceAll('$', '\\$')}(?=\\s*[.([),])`, 'g');
    plain = plain.replace(use, () => meant);
  }
  return plain;
}

function pythonNames(code: string, texts: readonly string[]): Names {
  const names: Names = new Map();
  for (const [, list = ''] of code.matchAll(/(?<![.\w])import\s+([\w.,\s]+?)(?=[;\n)]|$)/g))
    for (const [, module = '', name = ''] of list.matchAll(/([\w.]+)\s+as\s+(\w+)/g)) names.set(name, module);
  for (const [, module = '', list = ''] of code.matchAll(
    /\bfrom\s+([\w.]+)\s+import\s+\(?([\w,\s]+?)(?=[;\n)]|$)/g,
  ))
    for (const each of list.split(',')) {
      const [thing = '', , name = thing] = each.trim().split(/\s+/);
      if (/^(?:os|subprocess|shutil|pty|commands)$/.test(module) && thing !== '')
        names.set(name, `${module}.${thing}`);
    }
  // `o = __import__('os')` and `s = os.system`.
  for (const [, name = '', text] of code.matchAll(
    /(?<![.\w])(\w+)\s*=\s*(?:__import__|(?:importlib\.)?import_module)\(\s*§(\d+)§\s*\)\s*(?=[;\n]|$)/g,
  ))
    names.set(name, texts[Number(text)] ?? '');
  for (const [, name = '', thing = ''] of code.matchAll(
    /(?<![.\w])(\w+)\s*=\s*((?:os|subprocess|shutil|pty)(?:\.\w+)?)\s*(?=[;\n]|$)/g,
  ))
    names.set(name, thing);
  return names;
}

function scriptNames(code: string, texts: readonly string[]): Names {
  const names: Names = new Map();
  const module = (index: string | undefined): string => (texts[Number(index)] ?? '').replace(/^node:/, '');
  const single =
    /\b(?:const|let|var)\s+([\w$]+)\s*=\s*(?:await\s+)?(?:require|import)\s*\(\s*§(\d+)§\s*\)|\bimport\s+(?:\*\s*as\s+)?([\w$]+)\s+from\s*§(\d+)§/g;
  for (const [, required, first, imported, second] of code.matchAll(single))
    names.set(required ?? imported ?? '', module(first ?? second));
  const several =
    /\b(?:const|let|var|import)\s*\{([^{}]*)\}\s*(?:=\s*(?:await\s+)?(?:require|import)\s*\(|from)\s*§(\d+)§/g;
  for (const [, list = '', index] of code.matchAll(several))
    for (const each of list.split(',')) {
      const [thing = '', name = thing] = each.trim().split(/\s*:\s*|\s+as\s+/);
      if (/^child_process$/.test(module(index)) && thing !== '') names.set(name, `child_process.${thing}`);
    }
  names.delete('');
  for (const [name, meant] of names)
    if (!/^(?:child_process|fs|fs\/promises)/.test(meant)) names.delete(name);
  return names;
}
