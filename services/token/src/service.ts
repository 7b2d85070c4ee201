import { openMailer } from "./application/mail/sending/mail-settings.ts";
import { AuditService, OperatorService, TokenService as TokenRpcs } from "@canvass/proto/token";
import { bind } from "@canvass/rpc";
import { startService, type RunningService, type ServiceOverrides } from "@canvass/service";
import type { ConnectRouter } from "@connectrpc/connect";
import { PrismaClient } from "../gen/prisma/client.ts";
import { createCallerSigner } from "./application/caller-signer.ts";
import { readPrivateKey, type TokenConfig } from "./config.ts";
import { queueMails } from "./consumers/queue-mails.ts";
import { storeAuditEntries } from "./consumers/store-audit-entries.ts";
import type { TokenContext, TokenShell } from "./context.ts";
import { repairMailDueTimes } from "./application/mail/mail-queue.ts";
import { startMails } from "./application/mail/start-mails.ts";
import { purges } from "./purges.ts";
import { addPerson } from "./rpc/add-person.ts";
import { batchAuthenticate } from "./rpc/batch-authenticate.ts";
import { batchGetPendingPlanChanges } from "./rpc/batch-get-pending-plan-changes.ts";
import { createRole } from "./rpc/create-role.ts";
import { createToken } from "./rpc/create-token.ts";
import { createWorkspace } from "./rpc/create-workspace.ts";
import { getToken } from "./rpc/get-token.ts";
import { getWorkspace } from "./rpc/get-workspace.ts";
import { issueToken } from "./rpc/issue-token.ts";
import { listAuditLog } from "./rpc/list-audit-log.ts";
import { listTokens } from "./rpc/list-tokens.ts";
import { listWorkspaceAuditLog } from "./rpc/list-workspace-audit-log.ts";
import { recordTokenUses } from "./rpc/record-token-uses.ts";
import { revokeMemberToken } from "./rpc/revoke-member-token.ts";
import { revokeToken } from "./rpc/revoke-token.ts";
import { rotateToken } from "./rpc/rotate-token.ts";
import { setPlan } from "./rpc/set-plan.ts";
import { setRole } from "./rpc/set-role.ts";
import { updateToken } from "./rpc/update-token.ts";
import { transfer } from "./transfer.ts";
import manifest from "../package.json" with { type: "json" };

export async function startTokenService(
  config: TokenConfig,
  overrides: ServiceOverrides = {},
): Promise<RunningService> {
  const privateKey = readPrivateKey(config);
  return startService({
    name: "token",
    version: manifest.version,
    config,
    overrides,
    authorities: { "mail-authority": config.CANVASS_SMTP_CA_FILE },
    createPrisma: (adapter) => new PrismaClient({ adapter }),
    createContext: (shell: TokenShell): TokenContext => {
      const mails = startMails(shell, openMailer(config, shell.log));
      return { ...shell, signIdentity: createCallerSigner(privateKey, shell.now), nudgeMails: () => mails?.nudge() };
    },
    consumers: { audit: storeAuditEntries, mails: queueMails },
    purges,
    clockRepairs: [{ rows: "due times of mails", repair: repairMailDueTimes }],
    transfer: () => transfer,
    routes,
  });
}

function routes(router: ConnectRouter, context: TokenContext): void {
  router.service(TokenRpcs, {
    batchAuthenticate: bind(context, batchAuthenticate),
    listTokens: bind(context, listTokens),
    getToken: bind(context, getToken),
    createToken: bind(context, createToken),
    updateToken: bind(context, updateToken),
    revokeToken: bind(context, revokeToken),
    rotateToken: bind(context, rotateToken),
    recordTokenUses: bind(context, recordTokenUses),
    batchGetPendingPlanChanges: bind(context, batchGetPendingPlanChanges),
  });
  router.service(AuditService, { listAuditLog: bind(context, listAuditLog) });
  router.service(OperatorService, {
    createWorkspace: bind(context, createWorkspace),
    getWorkspace: bind(context, getWorkspace),
    setPlan: bind(context, setPlan),
    addPerson: bind(context, addPerson),
    setRole: bind(context, setRole),
    createRole: bind(context, createRole),
    issueToken: bind(context, issueToken),
    revokeMemberToken: bind(context, revokeMemberToken),
    listWorkspaceAuditLog: bind(context, listWorkspaceAuditLog),
  });
}
