/** Ports inside every container: HTTP API (gateway), RPCs (services), probes and metrics. */
export const CONTAINER_PORTS = { http: 8080, rpc: 9000, ops: 9090 } as const;
