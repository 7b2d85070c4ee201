import { ContactService } from "@canvass/proto/distribution-contacts";
import { bind } from "@canvass/rpc";
import type { ConnectRouter } from "@connectrpc/connect";
import type { DistributionContext } from "../../context.ts";
import { createImport } from "../imports/create-import.ts";
import { getImport } from "../imports/get-import.ts";
import { previewImport } from "../imports/preview-import.ts";
import { anonymizeContact } from "./anonymize-contact.ts";
import { batchFindContacts } from "./batch-find-contacts.ts";
import { createContact } from "./create-contact.ts";
import { deleteContacts } from "./delete-contacts.ts";
import { getContact } from "./get-contact.ts";
import { getStatusSummary } from "./get-status-summary.ts";
import { listContactActivity } from "./list-contact-activity.ts";
import { listContacts } from "./list-contacts.ts";
import { unsubscribeContact } from "./unsubscribe-contact.ts";
import { updateContact } from "./update-contact.ts";

export function contactRoutes(router: ConnectRouter, context: DistributionContext): void {
  router.service(ContactService, {
    createContact: bind(context, createContact),
    listContacts: bind(context, listContacts),
    getContact: bind(context, getContact),
    updateContact: bind(context, updateContact),
    deleteContacts: bind(context, deleteContacts),
    getStatusSummary: bind(context, getStatusSummary),
    listContactActivity: bind(context, listContactActivity),
    unsubscribeContact: bind(context, unsubscribeContact),
    anonymizeContact: bind(context, anonymizeContact),
    createImport: bind(context, createImport),
    getImport: bind(context, getImport),
    previewImport: bind(context, previewImport),
    batchFindContacts: bind(context, batchFindContacts),
  });
}
