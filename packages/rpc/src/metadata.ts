import { Metadata } from "@grpc/grpc-js";
import type { Head } from "./trunk/frames.ts";

export function toMetadata(head: Head): Metadata {
  const metadata = new Metadata();
  for (const name in head) {
    const value = head[name]!;
    metadata.set(name, name.endsWith("-bin") ? Buffer.from(value, "base64") : value);
  }
  return metadata;
}

export function toHead(metadata: Metadata | undefined): Head {
  const head: Record<string, string> = {};
  for (const [name, value] of Object.entries(metadata?.getMap() ?? {})) {
    head[name] = typeof value === "string" ? value : value.toString("base64");
  }
  return head;
}
