import { BinaryReader, WireType } from "@bufbuild/protobuf/wire";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";

/** A span as a collector gets it: opentelemetry/proto/trace/v1/trace.proto. */
export interface ReceivedSpan {
  /** Of the resource. */
  service: string;
  /** Lower-case hex, as are the other ids. */
  traceId: string;
  spanId: string;
  /** Empty: none. */
  parentSpanId: string;
  name: string;
  /** 2 server, 3 client, 4 producer, 5 consumer. */
  kind: number;
  attributes: Record<string, string | number>;
  /** 2: an error. */
  status: number;
}

/** Status of its responses to exports, or "hang": it never responds. */
export type CollectorResponse = number | "hang";

export interface TestCollector extends AsyncDisposable {
  /** For OTEL_EXPORTER_OTLP_ENDPOINT. */
  url: string;
  /** Of exports that were answered with 200. */
  spans: ReceivedSpan[];
  /** Exports that arrived, however they were answered. */
  readonly exports: number;
  answer(answer: CollectorResponse): void;
}

/** A collector that takes traces by OTLP over HTTP, on loopback. */
export async function startTestCollector(): Promise<TestCollector> {
  const spans: ReceivedSpan[] = [];
  let answer: CollectorResponse = 200;
  let exports = 0;
  async function take(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk as Buffer);
    exports += 1;
    if (answer === "hang") return;
    const isExport = request.method === "POST" && request.url === "/v1/traces";
    if (answer === 200 && isExport) spans.push(...decodeExport(Buffer.concat(chunks)));
    response.writeHead(isExport ? answer : 404, { "content-type": "application/x-protobuf" }).end();
  }

  const server = createServer((request, response) => {
    // The exporter closed the connection during its export.
    take(request, response).catch(() => response.destroy());
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    spans,
    get exports() {
      return exports;
    },
    answer: (next) => void (answer = next),
    async [Symbol.asyncDispose]() {
      const closed = new Promise((resolve) => server.close(resolve));
      server.closeAllConnections();
      await closed;
    },
  };
}

/** Fields of a message by their numbers; messages, text and bytes as bytes. */
type Fields = Map<number, (Uint8Array | number)[]>;

function fieldsOf(bytes: Uint8Array): Fields {
  const reader = new BinaryReader(bytes);
  const fields: Fields = new Map();
  while (reader.pos < reader.len) {
    const [number, type] = reader.tag();
    const value = readValue(reader, number, type);
    if (value !== undefined) fields.set(number, [...(fields.get(number) ?? []), value]);
  }
  return fields;
}

function readValue(reader: BinaryReader, number: number, type: WireType): Uint8Array | number | undefined {
  if (type === WireType.LengthDelimited) return reader.bytes();
  if (type === WireType.Varint) return Number(reader.int64());
  return void reader.skip(type, number);
}

const messages = (fields: Fields, number: number) =>
  (fields.get(number) ?? []).map((bytes) => fieldsOf(bytes as Uint8Array));
const bytesOf = (fields: Fields, number: number) => Buffer.from((fields.get(number)?.[0] ?? []) as Uint8Array);
const textOf = (fields: Fields, number: number) => bytesOf(fields, number).toString();
const numberOf = (fields: Fields, number: number) => (fields.get(number)?.[0] ?? 0) as number;

/** ExportTraceServiceRequest → ResourceSpans → ScopeSpans → Span. */
function decodeExport(bytes: Uint8Array): ReceivedSpan[] {
  return messages(fieldsOf(bytes), 1).flatMap((resourceSpans) => {
    const [resource] = messages(resourceSpans, 1);
    const service = String(attributesOf(resource!, 1)["service.name"]);
    return messages(resourceSpans, 2).flatMap((scopeSpans) =>
      messages(scopeSpans, 2).map((span) => spanOf(span, service)),
    );
  });
}

function spanOf(span: Fields, service: string): ReceivedSpan {
  const [status] = messages(span, 15);
  return {
    service,
    traceId: bytesOf(span, 1).toString("hex"),
    spanId: bytesOf(span, 2).toString("hex"),
    parentSpanId: bytesOf(span, 4).toString("hex"),
    name: textOf(span, 5),
    kind: numberOf(span, 6),
    attributes: attributesOf(span, 9),
    status: status ? numberOf(status, 3) : 0,
  };
}

/** KeyValue { key, AnyValue { string_value, bool_value, int_value } }. */
function attributesOf(fields: Fields, number: number): ReceivedSpan["attributes"] {
  const entries = messages(fields, number).map((entry) => {
    const [value] = messages(entry, 2);
    return [textOf(entry, 1), value!.has(1) ? textOf(value!, 1) : numberOf(value!, 3)] as const;
  });
  return Object.fromEntries(entries);
}
