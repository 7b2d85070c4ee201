import { createLeaseQueue, type Lease } from "@canvass/jobs";
import type { Sql } from "@canvass/postgres";
import { longestWaitMs } from "./retry-schedule.ts";

export interface QueuedMail {
  workspaceId: string;
  eventId: string;
  personId: string;
  toName: string;
  toAddress: string;
  subject: string;
  text: string;
  html: string;
  createdAt: Date;
}

export type ClaimedMail = QueuedMail & Lease;

export const mailQueue = createLeaseQueue<QueuedMail>({
  table: "mails",
  key: ["workspace_id", "event_id", "person_id"],
  columns: {
    toName: "to_name",
    toAddress: "to_address",
    subject: "subject",
    text: "text",
    html: "html",
    createdAt: "created_at",
  },
});

/** Much longer than an attempt takes. */
export const LEASE_MS = 120_000;

export const repairMailDueTimes = (sql: Sql, now: Date): Promise<void> =>
  mailQueue.repairDueTimes(sql, { now, leaseMs: LEASE_MS, longestWaitMs });
