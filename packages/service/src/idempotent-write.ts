import { create, type DescMessage, type MessageInitShape, type MessageShape } from "@bufbuild/protobuf";
import { idempotently } from "@canvass/postgres/rpc";
import type { Call } from "@canvass/rpc";
import type { Transaction, Write } from "./write.ts";

/** Runs a write and stores its response in one transaction, once per idempotency key (contract 3.4, 3.5). */
export function idempotentWrite<Client, Desc extends DescMessage>(
  { write, now }: { write: Write<Client>; now: () => Date },
  call: Call,
  schema: Desc,
  work: (transaction: Transaction<Client>) => Promise<MessageInitShape<Desc>>,
): Promise<MessageShape<Desc>> {
  return write(
    (transaction) =>
      idempotently(transaction.sql, call, schema, now(), async () => create(schema, await work(transaction))),
    call,
  );
}
