import type { ExportWorkspaceResponse, WorkspacePart } from "@canvass/proto/transfer";
import { timestampFromDate } from "@bufbuild/protobuf/wkt";
import { randomBytes } from "node:crypto";
import { OperationalError, requirePlace } from "@canvass/provisioning";
import type { Session } from "../define-command.ts";
import { hasEventsUnderWay } from "./events-under-way.ts";
import { MOVING_SERVICES } from "./moving-services.ts";
import { writeSealedFile, type Records } from "./sealed-file.ts";

export type Exported = {
  workspaceId: string;
  transferId: string;
  rows: Record<string, number>;
  files: number;
  missingFiles: string[];
  /** Always 0: an export with more is refused. */
  eventsUnderWay: number;
};

/**
 * Throws OperationalError while events of the workspace are under way, and, unless `replace`, if there is a file. Nothing
 * but a file is replaced.
 */
export async function exportWorkspace(
  { connectTransfers, progress }: Pick<Session, "connectTransfers" | "progress">,
  workspaceId: string,
  { path, recipient, replace = false }: { path: string; recipient: string; replace?: boolean },
): Promise<Exported> {
  await requirePlace(path, { replace });
  const transferKey = randomBytes(32);
  const transferId = randomBytes(16).toString("hex");
  const summary: Exported = { workspaceId, transferId, rows: {}, files: 0, missingFiles: [], eventsUnderWay: 0 };
  const streams = [];
  for (const service of MOVING_SERVICES) {
    const client = await connectTransfers(service);
    streams.push({ service, parts: partsAtRest(service, client.exportWorkspace({ workspaceId, transferKey })) });
  }
  // Concurrently, so that all services take their snapshots at nearly the same time. Events would be in the second part.
  const begun = await Promise.all(
    streams.map(async ({ service, parts }) => ({ service, parts, first: [await parts.next(), await parts.next()] })),
  );
  const records = async function* (): Records {
    const transfer = { workspaceId, transferId, transferKey };
    const exportedAt = timestampFromDate(new Date());
    const header = { format: 1, transfer, exportedAt, services: [...MOVING_SERVICES] };
    yield { record: { case: "header", value: header } };
    for (const { service, first, parts } of begun) {
      yield { record: { case: "service", value: service } };
      for (let next = first.shift()!; !next.done; next = first.shift() ?? (await parts.next())) {
        const part = next.value;
        countPart(summary, service, part);
        progress(`${service}: ${summary.rows[service] ?? 0} rows, ${summary.files} files`);
        yield { record: { case: "part", value: part } };
      }
    }
  };
  await writeSealedFile(path, recipient, records(), { replace });
  progress(undefined);
  return summary;
}

async function* partsAtRest(service: string, responses: AsyncIterable<ExportWorkspaceResponse>) {
  for await (const { part } of responses) {
    if (!part) continue;
    if (hasEventsUnderWay(part)) {
      throw new OperationalError(
        `Events of the ${service} service are under way: stop what writes to the workspace, and repeat this until none are.`,
      );
    }
    yield part;
  }
}

function countPart(summary: Exported, service: string, { part }: WorkspacePart): void {
  if (part.case === "rows") {
    summary.rows[service] = (summary.rows[service] ?? 0) + part.value.rows.length;
  } else if (part.case === "end") {
    summary.files += Number(part.value.files);
    summary.missingFiles.push(...part.value.missingFiles);
  }
}
