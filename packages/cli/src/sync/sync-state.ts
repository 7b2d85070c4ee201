import { OperationalError } from "@canvass/provisioning";
import type { Database } from "./open-database.ts";

/** The survey that a database has. */
export type Owner = { url: string; surveyId: string };

/** How far a sync has come. It is kept in the database, and changes with the rows in one transaction. */
export type SyncState = Owner & {
  /** Counts the walks over all respondents. Rows of an earlier walk are deleted at the end of the next one. */
  walk: number;
  walkEnded: boolean;
  /** Cursor after the respondents that were read. */
  respondentsCursor: string | null;
  /** When the walk began: answers given later are changes. */
  changesFrom: string | null;
  /** Cursor after the answers of the stream that were read. */
  changesCursor: string | null;
  /** Cursor after the events that were read; null without a feed. */
  feedCursor: string | null;
};

/** `answers` holds each answer, `respondents` who gave them; the view `responses` has a column for each element. */
const tables = `
CREATE TABLE canvass_sync (state JSON NOT NULL);
CREATE TABLE respondents (respondent_id VARCHAR NOT NULL, status VARCHAR NOT NULL, version_number INTEGER NOT NULL,
  started_at TIMESTAMPTZ NOT NULL, completed_at TIMESTAMPTZ, is_test BOOLEAN NOT NULL, language VARCHAR,
  distributor_id VARCHAR, contact_id VARCHAR, metadata JSON, walk INTEGER NOT NULL);
CREATE TABLE answers (answer_id VARCHAR NOT NULL, respondent_id VARCHAR NOT NULL, element_id VARCHAR NOT NULL,
  item_id VARCHAR, type VARCHAR NOT NULL, value JSON NOT NULL, submitted_at TIMESTAMPTZ NOT NULL, off_path BOOLEAN NOT NULL);
CREATE TABLE elements (element_id VARCHAR NOT NULL, column_name VARCHAR NOT NULL, type VARCHAR NOT NULL, text VARCHAR);
CREATE TABLE entries (element_id VARCHAR NOT NULL, entry_id VARCHAR NOT NULL, text VARCHAR NOT NULL);`;

const none = {
  walk: 0,
  walkEnded: true,
  respondentsCursor: null,
  changesFrom: null,
  changesCursor: null,
  feedCursor: null,
};

/**
 * Reads the state, or creates the tables with an initial one. Throws OperationalError for a database of something else.
 */
export async function ensureState(database: Database, owner: Owner): Promise<SyncState> {
  const found = await database.read("SELECT table_name AS name FROM information_schema.tables");
  if (found.length === 0) {
    const state = { ...owner, ...none };
    await database.transact(async () => {
      await database.run(tables);
      await database.run("INSERT INTO canvass_sync VALUES ($1)", [JSON.stringify(state)]);
    });
    return state;
  }
  if (!found.some(({ name }) => name === "canvass_sync"))
    throw new OperationalError("The database has tables of something else; give another file to --to.");
  const [row] = await database.read("SELECT state FROM canvass_sync");
  const state = JSON.parse(String(row!["state"])) as SyncState;
  if (state.url === owner.url && state.surveyId === owner.surveyId) return state;
  throw new OperationalError(`The database has survey ${state.surveyId} of ${state.url}; give another file to --to.`);
}

/** Call it within the transaction that writes the rows. */
export async function writeState(database: Database, state: SyncState): Promise<void> {
  await database.run("UPDATE canvass_sync SET state = $1", [JSON.stringify(state)]);
}
