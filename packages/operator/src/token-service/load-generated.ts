import { OperationalError, systemErrorCode } from "@canvass/provisioning";

/** Imports modules that need generated code, which may not exist yet. Throws OperationalError without that code. */
export async function loadGenerated() {
  try {
    const [rpc, { OperatorService, TokenService }, results, secrets, { WorkspaceTransferService }, access] =
      await Promise.all([
        import("@canvass/rpc"),
        import("@canvass/proto/token"),
        import("@canvass/proto/response-operator"),
        import("@canvass/proto/webhook-operator"),
        import("@canvass/proto/transfer"),
        import("@canvass/access"),
      ]);
    const { ResultsOperatorService } = results;
    const { SecretsOperatorService } = secrets;
    const { createRpcClient } = rpc;
    const { tokenSha256 } = access;
    return {
      createRpcClient,
      OperatorService,
      ResultsOperatorService,
      SecretsOperatorService,
      TokenService,
      WorkspaceTransferService,
      tokenSha256,
    };
  } catch (error) {
    if (systemErrorCode(error) !== "ERR_MODULE_NOT_FOUND") throw error;
    throw new OperationalError(`The generated code is missing; "pnpm generate" makes it.`, { cause: error });
  }
}
