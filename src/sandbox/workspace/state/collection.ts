interface CollectionOptions<T> {
  readonly idOf: (item: T) => string;
  /** What one is called in an error, and the name that people use for it. */
  readonly kind?: string;
  readonly nameOf?: (item: T) => string | undefined;
  readonly onChange?: () => void;
}

/** Items by id, in the order they came. They are replaced, never edited in place. */
export class Collection<T> {
  readonly #items = new Map<string, T>();
  readonly #options: CollectionOptions<T>;

  constructor(options: CollectionOptions<T>, items: readonly T[] = []) {
    this.#options = options;
    for (const item of items) this.#items.set(options.idOf(item), item);
  }

  get all(): readonly T[] {
    return [...this.#items.values()];
  }

  get(id: string): T | undefined {
    return this.#items.get(id);
  }

  find(test: (item: T) => boolean): T | undefined {
    for (const item of this.#items.values()) if (test(item)) return item;
    return undefined;
  }

  /** By id or name, with or without `@` or `#`. */
  lookUp(nameOrId: string): T | undefined {
    const name = nameOrId.replace(/^[@#]/, "");
    return this.get(name) ?? this.find((item) => name !== "" && this.#options.nameOf?.(item) === name);
  }

  /** The same, but throws when there is none. */
  named(nameOrId: string): T {
    const item = this.lookUp(nameOrId);
    if (item === undefined)
      throw new Error(`There is no ${this.#options.kind} "${nameOrId}" in the sandbox workspace.`);
    return item;
  }

  put(item: T): T {
    this.#items.set(this.#options.idOf(item), item);
    this.#options.onChange?.();
    return item;
  }

  change(nameOrId: string, changes: Partial<T>): T {
    return this.put({ ...this.named(nameOrId), ...changes });
  }

  remove(...ids: readonly string[]): void {
    for (const id of ids) this.#items.delete(id);
    this.#options.onChange?.();
  }
}
