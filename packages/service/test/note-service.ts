import { newEvent } from "@canvass/events";
import type { Sql } from "@canvass/postgres";
import { CreateSurveyResponseSchema, type CreateSurveyRequest } from "@canvass/proto/survey";
import { SurveyService } from "@canvass/proto/survey-service";
import { bind, type Call } from "@canvass/rpc";
import { join } from "node:path";
import {
  idempotentWrite,
  serviceSettings,
  startService,
  type ServiceDefinition,
  type ServiceOverrides,
  type Shell,
  type ShellConfig,
} from "../src/index.ts";
import { startTestService, type TestServiceOptions } from "../test-kit/index.ts";
import { PrismaClient, type Prisma } from "./fixture/gen/prisma/client.ts";

export type NoteContext = Shell<PrismaClient, Prisma.TransactionClient>;
type NoteDefinition = ServiceDefinition<Prisma.TransactionClient, PrismaClient, NoteContext>;

export const readNoteConfig: (environment: NodeJS.ProcessEnv) => ShellConfig = serviceSettings("survey", {}).read;

/** The smallest service with every part. It stores notes, under the name of a service with consumers. */
export const noteDefinition = (config: ShellConfig, overrides: ServiceOverrides = {}): NoteDefinition => ({
  name: "survey",
  version: "1.2.3",
  config,
  overrides,
  createPrisma: (adapter) => new PrismaClient({ adapter }),
  createContext: (shell) => shell,
  consumers: { "response-counts": async () => {} },
  purges: [{ rows: "notes", keepMs: 1000, purge: purgeNotes }],
  transfer: () => ({ moved: [{ table: "notes" }] }),
  routes: (router, context) => router.service(SurveyService, { createSurvey: bind(context, createNote) }),
});

export async function startNotes(changes: Partial<NoteDefinition> = {}, options: TestServiceOptions = {}) {
  const service = await startTestService(
    {
      folder: join(import.meta.dirname, "fixture"),
      readConfig: readNoteConfig,
      start: (config, overrides) =>
        startService({ ...noteDefinition(config, { purgeMs: 20, ...overrides }), ...changes }),
    },
    options,
  );
  return { ...service, notes: service.client(SurveyService) };
}

export function createNote(context: NoteContext, { bodyJson }: CreateSurveyRequest, call: Call) {
  const { workspaceId } = call.caller;
  return idempotentWrite(context, call, CreateSurveyResponseSchema, async ({ prisma, publish }) => {
    const occurredAt = context.now();
    await prisma.note.create({ data: { workspaceId, noteId: bodyJson, createdAt: occurredAt } });
    const value = { action: "survey.created", resourceId: bodyJson };
    await publish(newEvent({ workspaceId, occurredAt, source: "survey", body: { case: "auditRecorded", value } }));
    return { survey: { surveyId: bodyJson } };
  });
}

async function purgeNotes(sql: Sql, before: Date, limit: number): Promise<number> {
  const gone = await sql.query(
    `DELETE FROM notes WHERE note_id IN (SELECT note_id FROM notes WHERE created_at < $1::timestamptz LIMIT $2::int)
     RETURNING 1`,
    [before, limit],
  );
  return gone.length;
}
