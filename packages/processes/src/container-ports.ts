/** Ports inside a container, the same in every image: of the HTTP API (gateway), of RPCs (services), of probes and metrics. */
export const CONTAINER_PORTS = { http: 8080, rpc: 9000, ops: 9090 } as const;
