// Queries of every message, built and compiled once for each store: putting one together costs more than running it.
import type { Compilable, CompiledQuery, QueryResult } from 'kysely';
import { HermesError } from '../base/errors.ts';
import type { Database } from './tables.ts';

type Values = Readonly<Record<string, number | string | null>>;

/**
 * Builds the query from stand-ins of the values. It must be the same query for all values, and for every call the same function:
 * nothing may depend on what a value is.
 */
export type Build<Given extends Values, Row> = (db: Database, values: Given) => Compilable<Row>;

/** The place of a value in a compiled query. */
class Slot {
  readonly name: string;

  constructor(name: string) {
    this.name = name;
  }
}

export class Prepared {
  readonly #compiled = new Map<unknown, CompiledQuery>();

  /** `db`: the store, or a transaction of it. */
  run<Given extends Values, Row>(
    db: Database,
    build: Build<Given, Row>,
    values: Given,
  ): Promise<QueryResult<Row>> {
    const compiled = this.#compiledOf(db, build, values);
    const parameters = compiled.parameters.map(each => (each instanceof Slot ? values[each.name] : each));
    // What it gives follows from the query that `build` has made.
    return db.executeQuery({ ...compiled, parameters } as CompiledQuery<Row>);
  }

  async rows<Given extends Values, Row>(
    db: Database,
    build: Build<Given, Row>,
    values: Given,
  ): Promise<Row[]> {
    return (await this.run(db, build, values)).rows;
  }

  async first<Given extends Values, Row>(
    db: Database,
    build: Build<Given, Row>,
    values: Given,
  ): Promise<Row | undefined> {
    return (await this.run(db, build, values)).rows[0];
  }

  #compiledOf<Given extends Values, Row>(
    db: Database,
    build: Build<Given, Row>,
    values: Given,
  ): CompiledQuery {
    const known = this.#compiled.get(build);
    if (known) return known;
    const slots = Object.fromEntries(Object.keys(values).map(name => [name, new Slot(name)]));
    // Kysely puts values into the parameters as they are.
    const compiled = build(db, slots as unknown as Given).compile();
    this.#compiled.set(build, compiled);
    return compiled;
  }
}

/** Of a query that always gives a row. */
export function there<Row>(row: Row | undefined): Row {
  if (row === undefined)
    throw new HermesError('BUG_UNEXPECTED', 'A statement of the store has given no row.');
  return row;
}
