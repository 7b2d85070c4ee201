import type { MessageInitShape } from "@bufbuild/protobuf";
import { ContactService, type CreateImportRequestSchema, type Import } from "@canvass/proto/distribution-contacts";
import { LinkResponseService } from "@canvass/proto/response-links";
import { callOptions, type CallContext } from "@canvass/rpc";
import {
  auditEntries,
  createIntakeDouble,
  signedPerson,
  startDouble,
  startTestService,
  type TestServiceOptions,
} from "@canvass/service/testing";
import { waitFor } from "@canvass/testing";
import { parts } from "./distribution-fixture.ts";

export const workspaceId = "workspace0000001";

interface ImportSettings {
  mode?: string;
  matchOn?: string;
}

type Source = MessageInitShape<typeof CreateImportRequestSchema>["source"];

/** Starts the service with helpers for contacts and imports, and a response service without respondents. */
export async function startContactsSystem(options: TestServiceOptions = {}) {
  await using starting = new AsyncDisposableStack();
  const intake = createIntakeDouble();
  const double = starting.use(
    await startDouble((router) => {
      intake.routes(router);
      router.service(LinkResponseService, { listContactRespondents: () => ({ steps: [] }) });
    }),
  );
  const environment = { CANVASS_RESPONSE_URL: double.url, ...options.environment };
  const service = starting.use(await startTestService(parts, { ...options, environment }));
  const running = starting.move();
  const contacts = service.client(ContactService);
  const as = ({ workspace = workspaceId, ...context }: { workspace?: string } & CallContext = {}) =>
    callOptions({ ...context, signedCaller: signedPerson({ workspaceId: workspace }) });
  const waitForImport = (importId: string, workspace = workspaceId): Promise<Import> =>
    waitFor(
      async () => {
        const { import: found } = await contacts.getImport({ importId }, as({ workspace }));
        return ["completed", "failed"].includes(found!.status) && found!;
      },
      { describe: "the import", timeoutMs: 60_000 },
    );
  const importRows = async (
    source: Source,
    workspace = workspaceId,
    settings: ImportSettings = {},
  ): Promise<Import> => {
    const { import: queued } = await contacts.createImport({ source, ...settings }, as({ workspace }));
    return waitForImport(queued!.importId, workspace);
  };
  return {
    ...service,
    contacts,
    /** The response service's intake. */
    intake,
    as,
    create: async (body: object, workspace = workspaceId) =>
      (await contacts.createContact({ bodyJson: JSON.stringify(body) }, as({ workspace }))).contact!,
    update: async (contactId: string, body: object, ifMatch = ["*"]) =>
      (await contacts.updateContact({ contactId, ifMatch, bodyJson: JSON.stringify(body) }, as())).contact!,
    get: async (contactId: string) => (await contacts.getContact({ contactId }, as())).contact!,
    list: async (query: object = {}) => contacts.listContacts({ limit: 50, cursor: "", ...query }, as()),
    summary: async () => {
      const { $typeName: _, ...counts } = await contacts.getStatusSummary({}, as());
      return Object.fromEntries(Object.entries(counts).map(([status, count]) => [status, Number(count)]));
    },
    importRows,
    waitForImport,
    importCsv: (file: string | Uint8Array, settings: ImportSettings = {}) => {
      const value = typeof file === "string" ? new TextEncoder().encode(file) : file;
      return importRows({ case: "csv", value }, workspaceId, settings);
    },
    audited: () => auditEntries(service.sql),
    [Symbol.asyncDispose]: () => running.disposeAsync(),
  };
}

export type ContactsSystem = Awaited<ReturnType<typeof startContactsSystem>>;
