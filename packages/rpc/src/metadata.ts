import { Metadata as GrpcMetadata } from "@grpc/grpc-js";
import type { Metadata } from "./trunk/frames.ts";

export function toGrpc(metadata: Metadata): GrpcMetadata {
  const converted = new GrpcMetadata();
  for (const name in metadata) {
    const value = metadata[name]!;
    converted.set(name, name.endsWith("-bin") ? Buffer.from(value, "base64") : value);
  }
  return converted;
}

export function fromGrpc(metadata: GrpcMetadata | undefined): Metadata {
  const converted: Record<string, string> = {};
  for (const [name, value] of Object.entries(metadata?.getMap() ?? {})) {
    converted[name] = typeof value === "string" ? value : value.toString("base64");
  }
  return converted;
}
