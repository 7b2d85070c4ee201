import { Query, type Connection } from "pg";

/** What pg's Query does by itself, which its types leave out. */
declare class OpenQuery extends Query {
  name: string;
  _result: Columns;
  _accumulateRows: boolean;
  prepare(connection: Connection): void;
  handleCommandComplete(message: unknown, connection: Connection): void;
}

/** How the rows of a statement are read. */
interface Columns {
  fields: unknown;
  _parsers: unknown;
  _prebuiltEmptyResultObject: unknown;
}

interface Known {
  /** Of statements that this connection has answered; they keep their columns, or fail. */
  columns: Map<string, Columns>;
  /** The connection, which asks for no description. */
  silent: Connection;
}

const known = new WeakMap<Connection, Known>();

function knownOf(connection: Connection): Known {
  let found = known.get(connection);
  if (!found) known.set(connection, (found = { columns: new Map(), silent: silenced(connection) }));
  return found;
}

/**
 * A prepared statement that asks for the description of its columns once for each connection. pg asks at each execution:
 * for eighteen columns that is a fifth of all that a service does for a lone read.
 */
export class PreparedQuery extends (Query as unknown as typeof OpenQuery) {
  /** An empty name: not prepared. */
  constructor(name: string, text: string, values: unknown[]) {
    // Not as an object, of which pg makes a slow copy.
    super(text, values);
    this.name = name;
  }

  override prepare(connection: Connection): void {
    const { columns, silent } = knownOf(connection);
    const described = columns.get(this.name);
    if (described) {
      Object.assign(this._result, described);
      this._accumulateRows = true;
    }
    super.prepare(described ? silent : connection);
  }

  override handleCommandComplete(message: unknown, connection: Connection): void {
    super.handleCommandComplete(message, connection);
    const { columns } = knownOf(connection);
    if (this.name === "" || columns.has(this.name)) return;
    const { fields, _parsers, _prebuiltEmptyResultObject } = this._result;
    columns.set(this.name, { fields, _parsers, _prebuiltEmptyResultObject });
  }
}

function silenced(connection: Connection): Connection {
  const { parsedStatements, submittedNamedStatements } = connection as unknown as Record<string, object>;
  return {
    parsedStatements,
    submittedNamedStatements,
    describe: () => undefined,
    parse: connection.parse.bind(connection),
    bind: connection.bind.bind(connection),
    execute: connection.execute.bind(connection),
    sync: connection.sync.bind(connection),
    close: connection.close.bind(connection),
  } as unknown as Connection;
}
