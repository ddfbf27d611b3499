/** A request of a pipeline with an Idempotency-Key. */
export interface CallerRequest {
  /** Made of the caller and its key; also the idempotency key of the change. */
  readonly id: string;
  /** To recognize another body with the same key. */
  readonly bodyHash: string;
  readonly receivedAt: number;
}

/** The answer that every repeat of a request gets. */
export interface StoredAnswer {
  readonly status: number;
  readonly body: string;
  readonly location?: string | undefined;
}

/** What is recorded of a request. */
export type AskedBefore = Pick<CallerRequest, "bodyHash"> & { readonly answer: StoredAnswer | undefined };

export interface CallerRequestStore {
  callerRequest(id: string): Promise<AskedBefore | undefined>;
  /** Records a request, and gives the one that was recorded first under its id. */
  claimCallerRequest(request: CallerRequest): Promise<AskedBefore>;
  /** Stores the first answer; later ones are ignored. */
  answerCallerRequest(id: string, answer: StoredAnswer): Promise<void>;
}
