import type { WebClient } from "@slack/web-api";
import type { Logger } from "../../../observability/log.ts";
import type { Upload } from "../../connection/slack-http.ts";

export interface UploadedImage {
  readonly name: string;
  readonly content: () => Promise<Buffer>;
  /** For those who do not see it; Slack takes 1000 characters. */
  readonly alt: string;
}

/** The id of the file, which nobody sees until a message shows it. `key`: the same image is uploaded once. */
export type UploadImage = (key: string, image: UploadedImage) => Promise<string | undefined>;

interface Uploading {
  readonly client: Pick<WebClient, "files">;
  readonly upload: Upload;
  readonly log: Logger;
}

const kept = 20;

/** The upload of PLATFORM.md §13.1. A message can do without its image, so a failure is only logged. */
export function createUploadImage({ client, upload, log }: Uploading): UploadImage {
  const uploaded = new Map<string, string>();
  const uploadFile = async ({ name, content, alt }: UploadedImage): Promise<string | undefined> => {
    const bytes = await content();
    // The name that Slack's interface has; its client knows another.
    const file = { filename: name, length: bytes.length, alt_txt: alt };
    const { upload_url: url, file_id: id } = await client.files.getUploadURLExternal(file);
    if (!url || !id || !(await upload(url, bytes))) return undefined;
    await client.files.completeUploadExternal({ files: [{ id, title: alt.slice(0, 200) }] });
    return id;
  };
  return async (key, image) => {
    const known = uploaded.get(key);
    if (known !== undefined) return known;
    try {
      const id = await uploadFile(image);
      if (id === undefined) log.warn("Slack did not take an image: the message goes out without it");
      else {
        if (uploaded.size >= kept) uploaded.clear();
        uploaded.set(key, id);
      }
      return id;
    } catch (error) {
      log.warn({ err: error }, "could not upload an image: the message goes out without it");
      return undefined;
    }
  };
}
