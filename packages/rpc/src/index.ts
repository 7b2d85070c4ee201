export { bind, bindStream, type Call, type MacBody } from "./call.ts";
export { callOptions, type CallContext } from "./call-options.ts";
export { createRpcClient, type RpcClient, type RpcClientOptions } from "./client.ts";
export { cutDetails } from "./cut-details.ts";
export { fromErrorDetail, toErrorDetail } from "./error-conversion.ts";
export { registerCertificateEnds, type CertificateEnds } from "./certificate-ends.ts";
export { connectTarget, type RpcTarget, type RpcTargetOptions } from "./rpc-target.ts";
export { startRpcServer, type RpcServer, type RpcServerOptions } from "./server.ts";
export { startRpcHost, type RpcHost, type RpcHostOptions, type ServiceConfig } from "./rpc-host.ts";
