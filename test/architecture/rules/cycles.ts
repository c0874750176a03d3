// No file imports itself, however long the way round. Imports that are erased whole (`import type`) and
// dynamic ones do not count: neither makes one module wait for another while loading.
import { type Project, type SourceFile, sourcesOf, type Violation, violationAt } from '../project.ts';

type Graph = ReadonlyMap<string, readonly string[]>;

/** Each file that stands in a cycle is named in at least one report; a report shows a shortest way round. */
export function cycles(project: Project): Violation[] {
  const files = new Map(sourcesOf(project).map(file => [file.path, file]));
  const graph = new Map([...files].map(([path, file]) => [path, valueTargets(file, files)]));
  const reported = new Set<string>();
  const violations: Violation[] = [];
  for (const [path, file] of files) {
    if (reported.has(path)) continue;
    const way = wayBack(graph, path);
    if (!way) continue;
    for (const step of way) reported.add(step);
    const first = file.imports.find(each => each.kind === 'value' && each.target === way[1]);
    const message = `import cycle ${way.join(' → ')}; move what both sides need into a file of its own`;
    violations.push(violationAt('cycles', file, first?.node ?? file.program, message));
  }
  return violations;
}

function valueTargets(file: SourceFile, files: ReadonlyMap<string, SourceFile>): string[] {
  return file.imports.flatMap(({ kind, target }) =>
    kind === 'value' && target !== undefined && files.has(target) ? [target] : [],
  );
}

/** The shortest path from a file back to itself, breadth first. */
function wayBack(graph: Graph, start: string): string[] | undefined {
  const cameFrom = new Map<string, string>();
  const queue = [start];
  for (const at of queue) {
    for (const next of graph.get(at) ?? []) {
      if (next === start) return [...pathTo(at, start, cameFrom), start];
      if (cameFrom.has(next)) continue;
      cameFrom.set(next, at);
      queue.push(next);
    }
  }
  return undefined;
}

function pathTo(end: string, start: string, cameFrom: ReadonlyMap<string, string>): string[] {
  const path: string[] = [];
  for (let at: string | undefined = end; at !== undefined && at !== start; at = cameFrom.get(at))
    path.unshift(at);
  return [start, ...path];
}
