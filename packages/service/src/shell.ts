import type { VerifyCaller } from "@canvass/access";
import type { Bus, Outbox } from "@canvass/events";
import type { CursorCodec, Database } from "@canvass/postgres";
import type { RpcClient, RpcClientOptions } from "@canvass/rpc";
import type { Logger, Registry } from "@canvass/telemetry";
import type { DescService } from "@bufbuild/protobuf";
import type { Write, LimitWrites } from "./write.ts";

/** The parts that every service has, opened before its context and closed after it. */
export interface Shell<Prisma, Client> {
  database: Database<Prisma>;
  write: Write<Client>;
  /** Shares the limit of `write`. For writes without a Prisma transaction. */
  limitWrites: LimitWrites;
  cursors: CursorCodec;
  outbox: Pick<Outbox, "publish" | "nudge">;
  bus: Bus;
  verifyCaller: VerifyCaller;
  now: () => Date;
  log: Logger;
  metrics: Registry;
  /** Connects to another service with this process's key and certificates. Closed when the service stops. */
  connect: <Service extends DescService>(
    service: Service,
    target: Pick<RpcClientOptions, "url" | "name" | "defaultTimeoutMs">,
  ) => RpcClient<Service>;
  /** Disposes the part when the service stops, in reverse order. */
  use: <Part extends AsyncDisposable | Disposable>(part: Part) => Part;
}
