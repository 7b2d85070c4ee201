/** Names that end in `-bin` hold encoded messages. */
export const metadataNames = {
  caller: "canvass-caller",
  peer: "canvass-peer",
  operator: "canvass-operator",
  idempotency: "canvass-idempotency-bin",
  replay: "canvass-replay-bin",
  requestId: "canvass-request-id",
  clientAddress: "canvass-client-address",
  traceparent: "traceparent",
} as const;
