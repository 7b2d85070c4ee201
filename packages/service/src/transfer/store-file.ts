import type { FilePiece, WorkspacePart } from "@canvass/proto/transfer";
import { refused } from "./refused.ts";
import type { MovedFiles } from "./workspace-transfer.ts";

export type Parts = AsyncGenerator<WorkspacePart["part"]>;

export async function storeFile(
  files: MovedFiles | undefined,
  workspaceId: string,
  first: FilePiece,
  parts: Parts,
): Promise<void> {
  const { key } = first;
  if (!files) throw refused("There are files, and this service stores none.");
  if (key.split("/")[1] !== workspaceId) throw refused("A file belongs to another workspace.");
  await files.write(key, chunksOf(first, parts));
}

async function* chunksOf(first: FilePiece, parts: Parts): AsyncGenerator<Uint8Array> {
  for (let chunk = first; ;) {
    if (chunk.last) return;
    yield chunk.bytes;
    const next = await parts.next();
    if (next.done || next.value.case !== "file" || next.value.value.key !== first.key) {
      throw refused("A file is cut.");
    }
    chunk = next.value.value;
  }
}
