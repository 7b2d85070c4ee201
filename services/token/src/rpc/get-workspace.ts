import type { MessageInitShape } from "@bufbuild/protobuf";
import type { GetWorkspaceRequest, GetWorkspaceResponseSchema } from "@canvass/proto/token";
import type { TokenContext } from "../context.ts";
import { requireWorkspace } from "../storage/workspaces.ts";

export async function getWorkspace(
  context: TokenContext,
  { workspaceId }: GetWorkspaceRequest,
): Promise<MessageInitShape<typeof GetWorkspaceResponseSchema>> {
  const { name, plan, timeZone } = await requireWorkspace(context.database.prisma, workspaceId);
  return { name, plan, timeZone };
}
