import type { EventType } from "@canvass/processes/event-catalogue";

/** The stream stores everything below `canvass.events`. */
export const eventSubject = (type: EventType): string => `canvass.events.${type}`;

/** Notices are not stored. */
export const noticeSubject = (type: EventType): string => `canvass.notices.${type}`;

/** Subject on which consumers confirm events to a source. */
export const confirmSubject = (source: string): string => `canvass.confirm.${source}`;
