import type { Connection } from "pg";
import { OpenQuery, type Columns, type Wire } from "./open-query.ts";
import { parameterText } from "./parameter-text.ts";

interface Known {
  /** Columns by statement name, cached from the first execution. A migration that changes them fails the statement. */
  columns: Map<string, Columns>;
  /** The connection without Describe. */
  silent: Wire;
  /** The connection without Sync after each statement, with and without Describe. */
  together: Wire;
  silentTogether: Wire;
}

const known = new WeakMap<Connection, Known>();

function knownOf(connection: Connection): Known {
  let found = known.get(connection);
  if (!found) known.set(connection, (found = knownAs(connection as unknown as Wire)));
  return found;
}

function knownAs(wire: Wire): Known {
  return {
    columns: new Map(),
    silent: without(wire, "describe"),
    together: without(wire, "sync", "close"),
    silentTogether: without(wire, "describe", "sync", "close"),
  };
}

/**
 * A prepared statement that requests its column description once per connection. pg requests it at each execution: for
 * eighteen columns that takes a fifth of a service's time for a single read.
 */
export class PreparedQuery extends OpenQuery {
  /** An empty name: not prepared. */
  constructor(name: string, text: string, values: readonly unknown[]) {
    // Passed as separate arguments: pg copies a config object, which is slow.
    super(text, values.map(parameterText));
    this.name = name;
  }

  override prepare(connection: Wire): void {
    const { columns, silent } = knownOf(connection as unknown as Connection);
    super.prepare(this.#takeColumns(columns) ? silent : connection);
  }

  /** Sends it without a Sync. Returns the error of values that cannot be encoded; the statement is parsed anyway. */
  begin(connection: Connection): Error | undefined {
    const { columns, together, silentTogether } = knownOf(connection);
    const { callback } = this;
    let unsent: Error | undefined;
    // pg reports encoding errors to the callback.
    this.callback = (error) => (unsent = error ?? undefined);
    super.prepare(this.#takeColumns(columns) ? silentTogether : together);
    this.callback = callback;
    return unsent;
  }

  #takeColumns(columns: Known["columns"]): boolean {
    const described = columns.get(this.name);
    if (!described) return false;
    Object.assign(this._result, described);
    this._accumulateRows = true;
    return true;
  }

  override handleCommandComplete(message: unknown, connection: Connection): void {
    super.handleCommandComplete(message, connection);
    const { columns } = knownOf(connection);
    if (this.name === "" || columns.has(this.name)) return;
    const { fields, _parsers, _prebuiltEmptyResultObject } = this._result;
    columns.set(this.name, { fields, _parsers, _prebuiltEmptyResultObject });
  }
}

const nothing = () => undefined;

function without(wire: Wire, ...left: ("describe" | "sync" | "close")[]): Wire {
  const { parsedStatements, submittedNamedStatements } = wire;
  return {
    parsedStatements,
    submittedNamedStatements,
    stream: wire.stream,
    parse: wire.parse.bind(wire),
    bind: wire.bind.bind(wire),
    execute: wire.execute.bind(wire),
    close: left.includes("close") ? nothing : wire.close.bind(wire),
    describe: left.includes("describe") ? nothing : wire.describe.bind(wire),
    sync: left.includes("sync") ? nothing : wire.sync.bind(wire),
  };
}
