/** Events of the history that are about no change, by name. They have ids, and no names, addresses or reasons of people. */
export interface AuditEvents {
  readonly refused: {
    readonly command: string;
    readonly actor: string;
    readonly channel: string | null;
    readonly rule: string;
  };
}

export type EventFacts = AuditEvents[keyof AuditEvents];

export interface AuditStore {
  /** Appends an event to the history. */
  appendEvent<K extends keyof AuditEvents>(name: K, at: number, event: AuditEvents[K]): Promise<void>;
}
