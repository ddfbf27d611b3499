/** Slack's pages, each read when it is needed. */
export async function* pages<T extends { readonly response_metadata?: { readonly next_cursor?: string } | undefined }>(
  read: (cursor: { readonly cursor?: string }) => Promise<T>,
) {
  let cursor: string | undefined;
  do {
    const page = await read(cursor ? { cursor } : {});
    yield page;
    cursor = page.response_metadata?.next_cursor;
  } while (cursor);
}
