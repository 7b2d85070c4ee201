import { create } from "@bufbuild/protobuf";
import { ExportWorkspaceResponseSchema, type ExportWorkspaceResponse } from "@canvass/proto/transfer";
import { generateX25519Identity, identityToRecipient } from "age-encryption";
import { mkdtemp, readdir, rm, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { beforeEach, expect, test } from "vitest";
import type { Session } from "../src/define-command.ts";
import type { TransferClient } from "../src/token-service/connect-operator.ts";
import { exportWorkspace } from "../src/transfer/export-workspace.ts";
import { importWorkspace } from "../src/transfer/import-workspace.ts";
import { MOVING_SERVICES } from "../src/transfer/moving-services.ts";
import { writeSealedFile, type Records } from "../src/transfer/sealed-file.ts";

const identity = await generateX25519Identity();
const recipient = await identityToRecipient(identity);

let folder: string;
let path: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), "canvass-moving-"));
  path = join(folder, "acme.age");
  return () => rm(folder, { recursive: true });
});

const rowsOf = (table: string, rows: string[] = []) => ({
  case: "rows" as const,
  value: { shape: { table, columns: ["event_id"] }, rows },
});
const partsOf = (events: string[]) => [
  rowsOf("outbox_events"),
  ...(events.length > 0 ? [rowsOf("outbox_events", events)] : []),
  rowsOf("notes", ["{}"]),
  { case: "end" as const, value: {} },
];

/** All services, of which one has events that a consumer has not confirmed. */
function servicesWith(events: string[], at: string) {
  const read: string[] = [];
  const exportFrom = async function* (service: string): AsyncGenerator<ExportWorkspaceResponse> {
    for (const part of partsOf(service === at ? events : [])) {
      if (part.case === "end") read.push(service);
      yield create(ExportWorkspaceResponseSchema, { part: { part } });
    }
  };
  const connectTransfers = async (service: string) =>
    ({ exportWorkspace: () => exportFrom(service) }) as unknown as TransferClient;
  return { read, session: { connectTransfers, progress: () => undefined } };
}

const exportFrom = (session: Pick<Session, "connectTransfers" | "progress">) =>
  exportWorkspace(session, "workspace0000001", { path, recipient });

test.each(MOVING_SERVICES)(
  "an export is refused, before it reads any other rows, while events of %s are under way; later it is repeated",
  async (service) => {
    const busy = servicesWith(["{}"], service);
    await expect(exportFrom(busy.session)).rejects.toThrow(
      `Events of the ${service} service are under way: stop what writes to the workspace, and repeat this until none are.`,
    );
    expect([busy.read, await readdir(folder)]).toEqual([[], []]);
    expect(await exportFrom(servicesWith([], service).session)).toMatchObject({ eventsUnderWay: 0 });
    expect(await readdir(folder)).toEqual(["acme.age"]);
  },
);

test("a device is no file to export to, and a file is not replaced; no service is called", async () => {
  const idle = servicesWith([], "");
  await writeFile(path, "mine");
  await expect(exportFrom(idle.session)).rejects.toThrow("acme.age already exists; give another file, or --force.");
  await rm(path);
  await symlink("/dev/null", path);
  for (const replace of [false, true]) {
    const exported = exportWorkspace(idle.session, "workspace0000001", { path, recipient, replace });
    await expect(exported).rejects.toThrow("acme.age is not a file");
  }
  expect(idle.read).toEqual([]);
});

test("a file with events under way, as older versions wrote them, is refused before any service is called", async () => {
  const records = async function* (): Records {
    const transfer = { workspaceId: "workspace0000001", transferId: "first" };
    yield { record: { case: "header", value: { format: 1, transfer, services: [...MOVING_SERVICES] } } };
    for (const service of MOVING_SERVICES) {
      yield { record: { case: "service", value: service } };
      for (const part of partsOf(service === "response" ? ["{}"] : [])) {
        yield { record: { case: "part", value: { part } } };
      }
    }
  };
  await writeSealedFile(path, recipient, records());
  const called: string[] = [];
  const connectTransfers = async (service: string) => {
    called.push(service);
    throw new Error("called");
  };
  const session = { connectTransfers, progress: () => undefined } as unknown as Session;
  await expect(importWorkspace(session, { path, identity })).rejects.toThrow(
    `${path} has events that were under way: export the workspace again, once there are none.`,
  );
  expect(called).toEqual([]);
});
