import type { Sql } from "@canvass/postgres";
import type { WorkspaceTransfer } from "@canvass/service";
import type { SecretKeys } from "./application/keys/secret-keys.ts";
import { createSecretBox, type SecretOwner } from "@canvass/webhook-sender";

type Row = Readonly<Record<string, unknown>>;

/** Secrets are exported under the transfer's key and imported under the keys of this installation. */
export const transfer = (keys: SecretKeys): WorkspaceTransfer => ({
  moved: [
    { table: "subscriptions" },
    {
      table: "subscription_secrets",
      sealed: {
        column: "sealed",
        onExport: async (_sql, sealed, row, key) =>
          transferBox(key).seal(await keys.open(sealed, ownerOf(row)), ownerOf(row)),
        onImport: (sql: Sql, sealed, row, key) =>
          keys.seal(sql, transferBox(key).open(sealed, ownerOf(row)), ownerOf(row)),
      },
    },
    { table: "listening_intervals" },
    { table: "plan_changes" },
    { table: "feed_counters" },
    { table: "feed_events" },
  ],
});

const transferBox = (transferKey: Uint8Array) => createSecretBox(Buffer.from(transferKey).toString("base64"));

const ownerOf = ({ workspace_id, subscription_id }: Row): SecretOwner => ({
  workspaceId: String(workspace_id),
  subscriptionId: String(subscription_id),
});
