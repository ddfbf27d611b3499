import { isJsonObject, stringAt } from "../json-object.ts";
import { allowances } from "../state/rate-limits.ts";
import { type ApiMethod, fail, failArguments, succeed } from "./api-method.ts";

const maxAltLength = 1000;

/** The first step of an upload (PLATFORM.md §13.1). Only forms and queries. */
export const filesGetUploadUrlExternal: ApiMethod = {
  token: "bot",
  scope: "files:write",
  limit: allowances.tier4,
  takesJson: false,
  run: (args, { files, baseUrl }) => {
    const [name, length, alt = ""] = [args.text("filename"), args.integer("length"), args.text("alt_txt")];
    if (name === undefined || length === undefined || length < 1) return fail("missing_argument");
    if (alt.length > maxAltLength) return fail("alt_txt_too_large");
    const { file, path } = files.announce({ name, length, alt });
    return succeed({ upload_url: `${baseUrl()}${path}`, file_id: file.id });
  },
};

/** The last step. Curfew shares no file by itself: its messages show them. */
export const filesCompleteUploadExternal: ApiMethod = {
  token: "bot",
  scope: "files:write",
  limit: allowances.tier4,
  takesJson: true,
  run: (args, { files }) => {
    const given = args.json("files");
    if (!Array.isArray(given) || given.length === 0 || !given.every(isJsonObject)) return fail("invalid_arguments");
    if (args.has("channel_id") || args.has("channels"))
      return failArguments("the sandbox does not share files in channels");
    const done = given.map(({ id, title }) => files.complete(stringAt(id) ?? "", stringAt(title)));
    if (done.some((file) => file === undefined)) return fail("file_not_found");
    return succeed({ files: done.map((file) => ({ id: file?.id, title: file?.title ?? file?.name })) });
  },
};
