import { ExportService } from "@canvass/proto/exports";
import { callOptions } from "@canvass/rpc";
import { waitFor } from "@canvass/testing";
import type { Question } from "@canvass/questions";
import { fork } from "node:child_process";
import { mkdtemp, readdir, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { startHarness, surveyId, testId, workspaceId, type ResponseHarness } from "./harness.ts";

type Person = Parameters<ResponseHarness["signed"]>[0];

/** Starts the service with a folder for files, and helpers for exports. */
export async function startExportHarness(pages: Question[][], environment: Record<string, string> = {}) {
  await using starting = new AsyncDisposableStack();
  const folder = await mkdtemp(join(tmpdir(), "canvass-exports-"));
  starting.defer(() => rm(folder, { recursive: true }));
  const harness = starting.use(await startHarness(pages, { CANVASS_FILES_DIR: folder, ...environment }));
  // Respondents of the tests start at noon.
  harness.clock.set("2026-03-01T13:00:00Z");
  const client = harness.clientOf(ExportService);
  const as = (person?: Person) => callOptions({ signedCaller: harness.signed(person) });
  const create = async (body: object, person?: Person) => {
    const answer = await client.createExport(
      { surveyId, bodyJson: JSON.stringify({ format: "ndjson", ...body }) },
      as(person),
    );
    return answer.export!.exportId;
  };
  const read = async (exportId: string, person?: Person) => (await client.getExport({ exportId }, as(person))).export!;
  const untilEnded = (exportId: string, person?: Person) =>
    waitFor(
      async () => {
        const found = await read(exportId, person);
        return !["queued", "processing"].includes(found.status) && found;
      },
      { describe: "the end of the export", timeoutMs: 120_000 },
    );
  const createDownloadToken = async (exportId: string) =>
    (await client.createDownload({ exportId }, as())).downloadToken;
  const download = async (downloadToken: string) => {
    const chunks = await Array.fromAsync(client.streamDownload({ downloadToken }));
    return Buffer.concat(chunks.map(({ piece }) => piece));
  };
  const running = starting.move();
  return {
    ...harness,
    folder,
    exports: client,
    as,
    create,
    read,
    untilEnded,
    createDownloadToken,
    download,
    /** Runs an export to its end and returns its rows. */
    rows: async (body: object): Promise<Record<string, unknown>[]> => {
      const exportId = await create(body);
      await untilEnded(exportId);
      const lines = (await download(await createDownloadToken(exportId))).toString().split("\n").slice(0, -1);
      return lines.map((line) => JSON.parse(line) as Record<string, unknown>);
    },
    files: async () =>
      (await readdir(folder, { recursive: true, withFileTypes: true })).filter((entry) => entry.isFile()),
    [Symbol.asyncDispose]: () => running.disposeAsync(),
  };
}

export type ExportHarness = Awaited<ReturnType<typeof startExportHarness>>;

/** Runs the service on the harness's database and folder in its own process. */
export function forkService({ environment, folder }: Pick<ExportHarness, "environment" | "folder">) {
  const env = { ...process.env, ...environment, CANVASS_FILES_DIR: folder, NODE_ENV: "test" };
  const child = fork(join(import.meta.dirname, "../src/main.ts"), { env, execArgv: [], stdio: "ignore" });
  return { child, [Symbol.asyncDispose]: async () => void child.kill("SIGKILL") };
}

export interface Filling {
  respondents: number;
  elementIds: readonly string[];
  workspaceId?: string;
  surveyId?: string;
}

/** Inserts completed respondents, with an answer of 1 to 6 to each element, and the counter for them. */
export async function fill(
  sql: ResponseHarness["sql"],
  { respondents, elementIds, workspaceId: workspace = workspaceId, surveyId: survey = surveyId }: Filling,
): Promise<void> {
  await sql(
    `INSERT INTO respondents (workspace_id, survey_id, respondent_id, version_id, version_number, is_test, is_anonymous,
       started_at, last_seen_at, completed_at)
     SELECT $1, $2, lpad(n::text, 16, '0'), $4, 1, false, false, '2026-03-01T12:00:00Z'::timestamptz,
       '2026-03-01T12:00:00Z', '2026-03-01T12:05:00Z'::timestamptz FROM generate_series(1, $3::int) AS n`,
    [workspace, survey, respondents, survey === surveyId ? testId("version1") : survey],
  );
  await sql(
    `INSERT INTO answer_sets (workspace_id, survey_id, respondent_id, part, submitted_at, answers)
     SELECT $1, $2, lpad(n::text, 16, '0'), 0, '2026-03-01T12:05:00Z',
       (SELECT jsonb_object_agg(element, 1 + (n + place) % 6) FROM unnest($4::text[]) WITH ORDINALITY AS e (element, place))
     FROM generate_series(1, $3::int) AS n`,
    [workspace, survey, respondents, elementIds],
  );
  await sql(
    `INSERT INTO survey_counters (workspace_id, survey_id, shard, started, completed) VALUES ($1, $2, 0, $3, $3)`,
    [workspace, survey, respondents],
  );
}
