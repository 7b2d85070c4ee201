import type { Shell, Transaction } from "@canvass/service";
import type { Prisma, PrismaClient } from "../gen/prisma/client.ts";
import type { SignIdentity } from "./application/caller-signer.ts";

export type TokenShell = Shell<PrismaClient, Prisma.TransactionClient>;
export type TokenTransaction = Transaction<Prisma.TransactionClient>;

export interface TokenContext extends TokenShell {
  signIdentity: SignIdentity;
  nudgeMails: () => void;
}
