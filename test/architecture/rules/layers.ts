// Imports go downwards only. A file's layer is its folder in `src/`; a type or a dynamic import counts like
// any other. `compose.ts` and the folder `compose/` may import everything, and only the doors (layer 6) may import them.
import type { Import } from '../imports.ts';
import { type Project, type SourceFile, type Violation, violationAt } from '../project.ts';

const LAYERS: readonly (readonly string[])[] = [
  ['base'],
  ['backends', 'platforms', 'providers'],
  ['sandboxes', 'store', 'config'],
  ['tools', 'execute-code', 'approvals', 'risk', 'containment', 'sessions'],
  ['agent', 'security'],
  ['gateway'],
  ['cli', 'dashboard', 'index.ts'],
];
const DOORS = LAYERS.length - 1;
const DRIVER_FOLDERS = ['backends', 'platforms', 'providers'];
/** Where siblings of one layer may meet. */
const CONTRACTS = [
  'src/backends/backend.ts',
  'src/platforms/platform.ts',
  'src/providers/provider.ts',
  'src/tools/tool.ts',
  'src/risk/finding.ts',
  'src/cli/command.ts',
];
const COMPOSE = /^src\/compose(?:\.ts$|\/)/;
const ENTRY = 'src/cli/main.ts';
const OUTSIDE = /^(?:test|scripts|bench|bin)\//;

export function layers(project: Project): Violation[] {
  return project.files.flatMap(file => {
    if (file.kind === 'test') return [];
    const known = file.path.startsWith('src/') ? unknownPart(file) : [];
    const imports = file.imports.flatMap(each => {
      const message = each.target === undefined ? undefined : wrongImport(file.path, each.target);
      return message === undefined ? [] : [violationAt('layers', file, each.node, describe(each, message))];
    });
    return [...known, ...imports];
  });
}

function describe({ specifier }: Import, message: string): string {
  return `imports ${specifier}: ${message}`;
}

function unknownPart(file: SourceFile): Violation[] {
  if (COMPOSE.test(file.path) || layerOf(file.path) !== -1) return [];
  const message = `src/${partOf(file.path)} stands in no layer; move it into a folder that does, or name its layer in the design and in this rule`;
  return [{ rule: 'layers', file: file.path, line: 1, message }];
}

/** Why `from` may not import `to`; nothing when it may. */
function wrongImport(from: string, to: string): string | undefined {
  if (from.startsWith('bin/')) {
    return to.startsWith('src/') && to !== ENTRY ? `bin/ starts ${ENTRY} and nothing else` : undefined;
  }
  if (!from.startsWith('src/')) return undefined;
  if (to.endsWith('.test.ts') || OUTSIDE.test(to)) {
    return 'sources depend on sources only; move what both need into src/';
  }
  // What composes stands in no layer; nor does what unknownPart has reported already.
  if (!to.startsWith('src/') || layerOf(from) === -1) return undefined;
  if (COMPOSE.test(to)) {
    return layerOf(from) === DOORS
      ? undefined
      : 'only cli, dashboard and index.ts build on compose.ts and compose/; take what you need as a parameter';
  }
  return partOf(from) === partOf(to) ? wrongDriver(from, to) : wrongPart(from, to);
}

function wrongDriver(from: string, to: string): string | undefined {
  const [own, other] = [driverOf(from), driverOf(to)];
  if (own === undefined || other === undefined || own === other) return undefined;
  return `drivers never import each other; move what ${own} and ${other} share into src/${partOf(from)}/ or src/base/`;
}

function wrongPart(from: string, to: string): string | undefined {
  const [own, other] = [layerOf(from), layerOf(to)];
  if (other === -1 || own > other) return undefined;
  if (own < other) {
    return `layer ${own} (${partOf(from)}) must not know layer ${other} (${partOf(to)}); take it as a parameter, or move the shared part down`;
  }
  if (CONTRACTS.includes(to)) return undefined;
  if (partOf(from) === 'dashboard' && to.startsWith('src/cli/commands/')) return undefined;
  return `${partOf(from)} and ${partOf(to)} are siblings in layer ${own} and meet only through a contract (${CONTRACTS.join(', ')}); take it as a parameter, or move the shared part down`;
}

function partOf(path: string): string {
  return path.split('/')[1] ?? '';
}

function layerOf(path: string): number {
  return LAYERS.findIndex(parts => parts.includes(partOf(path)));
}

/** `backends/docker` for everything in that folder; nothing for the files beside the drivers. */
function driverOf(path: string): string | undefined {
  const [, part, driver, file] = path.split('/');
  return part && file && DRIVER_FOLDERS.includes(part) ? `${part}/${driver}` : undefined;
}
