import type { EventType } from "@canvass/processes/event-catalogue";

/** The stream stores everything below `canvass.events`. */
export const eventSubject = (type: EventType): string => `canvass.events.${type}`;

export const noticeSubject = (type: EventType): string => `canvass.notices.${type}`;

export const confirmSubject = (source: string): string => `canvass.confirm.${source}`;
