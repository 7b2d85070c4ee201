import type { TableShape, Transfer, TransferHeader, TransferRecord, WorkspacePart } from "@canvass/proto/transfer";
import { OperationalError } from "@canvass/provisioning";
import type { Session } from "../define-command.ts";
import type { ServiceName } from "../token-service/find-service.ts";
import { hasEventsUnderWay } from "./events-under-way.ts";
import { MOVING_SERVICES } from "./moving-services.ts";
import { readSealedFile } from "./sealed-file.ts";

export type Imported = {
  workspaceId: string;
  transferId: string;
  taken: string[];
  takenBefore: string[];
  files: number;
};

type Place = { path: string; identity: string };
type Contents = { transfer: Transfer; shapes: Map<string, TableShape[]> };

/** Checks with all services before it writes. An interrupted import can be repeated. Throws OperationalError. */
export async function importWorkspace(session: Session, place: Place): Promise<Imported> {
  const { transfer, shapes } = await readContents(place);
  await requireCapacity(session, transfer, shapes);
  const { workspaceId, transferId } = transfer;
  const done: Imported = { workspaceId, transferId, taken: [], takenBefore: [], files: 0 };
  const records = readSealedFile(place.path, place.identity);
  let next = await records.next();
  while (!next.done) {
    const { record } = next.value;
    if (record.case !== "service") {
      next = await records.next();
      continue;
    }
    const service = record.value as ServiceName;
    session.progress(`${service} …`);
    const client = await session.connectTransfers(service);
    const { taken, takenBefore } = await client.importWorkspace(stepsOf(transfer, records));
    (takenBefore ? done.takenBefore : done.taken).push(service);
    done.files += Number(taken?.files ?? 0);
    next = await skipParts(records);
  }
  session.progress(undefined);
  return done;
}

/** Reads the file to its end, to make sure that it is complete. */
async function readContents({ path, identity }: Place): Promise<Contents> {
  let header: TransferHeader | undefined;
  const shapes = new Map<string, TableShape[]>();
  const ended = new Set<string>();
  let service = "";
  let hasEvents = false;
  for await (const { record } of readSealedFile(path, identity)) {
    if (record.case === "header") header = record.value;
    else if (record.case === "service") shapes.set((service = record.value), []);
    else if (record.case === "part") noteShape(shapes.get(service), record.value);
    if (record.case === "part" && hasEventsUnderWay(record.value)) hasEvents = true;
    if (record.case === "part" && record.value.part.case === "end") ended.add(service);
  }
  if (header?.format !== 1 || !header.transfer) throw new OperationalError(`${path} is no workspace of this format.`);
  const lacking = MOVING_SERVICES.filter((name) => !ended.has(name));
  if (lacking.length > 0) throw new OperationalError(`${path} is cut: it lacks ${lacking.join(", ")}.`);
  if (hasEvents) {
    throw new OperationalError(
      `${path} has events that were under way: export the workspace again, once there are none.`,
    );
  }
  return { transfer: header.transfer, shapes };
}

function noteShape(shapes: TableShape[] | undefined, { part }: WorkspacePart): void {
  if (part.case !== "rows" || !part.value.shape || !shapes) return;
  const { shape } = part.value;
  if (shapes.at(-1)?.table !== shape.table) shapes.push(shape);
}

async function requireCapacity(session: Session, transfer: Transfer, shapes: Contents["shapes"]): Promise<void> {
  const found: string[] = [];
  for (const service of MOVING_SERVICES) {
    const client = await session.connectTransfers(service);
    const { faults } = await client.checkWorkspace({ transfer, tables: shapes.get(service) ?? [] });
    found.push(...faults.map((fault) => `${service}: ${fault}`));
  }
  if (found.length > 0) throw new OperationalError(`The workspace cannot come here. ${found.join("; ")}.`);
}

async function* stepsOf(transfer: Transfer, records: AsyncGenerator<TransferRecord>) {
  yield { step: { case: "transfer" as const, value: transfer } };
  for (;;) {
    const next = await records.next();
    if (next.done || next.value.record.case !== "part") return;
    const { value } = next.value.record;
    yield { step: { case: "part" as const, value } };
    if (value.part.case === "end") return;
  }
}

async function skipParts(records: AsyncGenerator<TransferRecord>) {
  let next = await records.next();
  while (!next.done && next.value.record.case === "part") next = await records.next();
  return next;
}
