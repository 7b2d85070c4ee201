import type { Connection } from "pg";
import { OpenQuery, type Columns, type Wire } from "./open-query.ts";
import { parameterText } from "./parameter-text.ts";

interface Known {
  /** Of statements that this connection has answered; they keep their columns, or fail. */
  columns: Map<string, Columns>;
  /** The connection, which asks for no description. */
  silent: Wire;
  /** The same without a Sync behind each statement, with and without description. */
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
 * A prepared statement that asks for the description of its columns once for each connection. pg asks at each execution:
 * for eighteen columns that is a fifth of all that a service does for a lone read.
 */
export class PreparedQuery extends OpenQuery {
  /** An empty name: not prepared. */
  constructor(name: string, text: string, values: readonly unknown[]) {
    // Not as an object, of which pg makes a slow copy.
    super(text, values.map(parameterText));
    this.name = name;
  }

  override prepare(connection: Wire): void {
    const { columns, silent } = knownOf(connection as unknown as Connection);
    super.prepare(this.#takeColumns(columns) ? silent : connection);
  }

  /** Sends it without a Sync. Returns the error of values that cannot be sent; the statement is parsed all the same. */
  begin(connection: Connection): Error | undefined {
    const { columns, together, silentTogether } = knownOf(connection);
    const { callback } = this;
    let unsent: Error | undefined;
    // pg tells the callback.
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
