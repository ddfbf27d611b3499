import type { Signal } from "../../signal.ts";
import type { Ids } from "./ids.ts";

/** A file of the app. Nobody sees it until it is complete and a message shows it. */
export interface StoredFile {
  readonly id: string;
  readonly name: string;
  /** As announced; the upload must have as many bytes. */
  readonly length: number;
  readonly alt: string;
  readonly title?: string;
  readonly bytes?: Buffer;
  readonly isComplete: boolean;
}

/** The three steps of an upload (PLATFORM.md §13.1). */
export interface Files {
  /** Gives the file and the path for its bytes. */
  announce(file: Pick<StoredFile, "name" | "length" | "alt">): { readonly file: StoredFile; readonly path: string };
  /** False for an unknown path, a second upload, or another number of bytes. */
  receive(path: string, bytes: Buffer): boolean;
  /** Undefined for an unknown file, and for one without its bytes. */
  complete(id: string, title: string | undefined): StoredFile | undefined;
  get(id: string): StoredFile | undefined;
}

export function createFiles(ids: Ids, signal: Signal): Files {
  const files = new Map<string, StoredFile>();
  const idByPath = new Map<string, string>();
  const keep = (file: StoredFile): StoredFile => {
    files.set(file.id, file);
    signal.changed();
    return file;
  };
  return {
    announce: (announced) => {
      const file = keep({ ...announced, id: ids.next("F"), isComplete: false });
      const path = `/upload/v1/${ids.hex(32)}`;
      idByPath.set(path, file.id);
      return { file, path };
    },
    receive: (path, bytes) => {
      const file = files.get(idByPath.get(path) ?? "");
      if (!file || file.bytes || bytes.length !== file.length) return false;
      keep({ ...file, bytes });
      return true;
    },
    complete: (id, title) => {
      const file = files.get(id);
      if (!file?.bytes) return undefined;
      return keep({ ...file, isComplete: true, ...(title === undefined ? {} : { title }) });
    },
    get: (id) => files.get(id),
  };
}
