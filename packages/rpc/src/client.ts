import type { DescService } from "@bufbuild/protobuf";
import type { Client as ConnectClient } from "@connectrpc/connect";
import { connectTarget, type RpcTargetOptions } from "./rpc-target.ts";

export type RpcClient<Service extends DescService> = ConnectClient<Service> & AsyncDisposable;
export type RpcClientOptions = RpcTargetOptions;

export function createRpcClient<Service extends DescService>(
  service: Service,
  options: RpcClientOptions,
): RpcClient<Service> {
  const target = connectTarget(options);
  return Object.assign(target.client(service), {
    [Symbol.asyncDispose]: async () => target[Symbol.dispose](),
  });
}
