import { escapeHtml, page } from "../page.ts";
import type { ReadMessage } from "./readMessage.ts";

export const mailPrefix = "/mail";

/** Every message, the newest first. */
export function listPage(messages: ReadMessage[]): string {
  const rows = messages.map(
    ({ id, at, to, subject }) =>
      `<tr><td>${time(at)}</td><td>${escapeHtml(to)}</td><td><a href="${mailPrefix}/${id}">${escapeHtml(subject)}</a></td></tr>`,
  );
  const table = `<table><tr><th>When</th><th>To</th><th>Subject</th></tr>${rows.join("")}</table>`;
  const empty = "<p>There are no messages yet. What Nido writes to customers appears here.</p>";
  return page(
    "en",
    "Mailbox (stand-in)",
    `<div class="wide"><p>A stand-in for a mail server: it delivers nothing. Reload to see new messages.</p>${messages.length > 0 ? table : empty}</div>`,
  );
}

/** One message, as HTML in a frame or as plain text. */
export function messagePage({ id, at, to, from, subject, html, text }: ReadMessage, isText: boolean): string {
  const other = isText ? `<a href="${mailPrefix}/${id}">HTML</a>` : `<a href="${mailPrefix}/${id}?text">Plain text</a>`;
  const isPlain = isText || !html;
  // The frame runs no scripts; its links open in this tab.
  const frame = `<iframe title="Message" sandbox="allow-top-navigation-by-user-activation" srcdoc="${escapeHtml(html.replace("<head>", '<head><base target="_top">'))}" style="width:100%;height:42rem;border:1px solid GrayText;border-radius:.5rem"></iframe>`;
  const plain = `<pre style="white-space:pre-wrap;overflow-wrap:anywhere">${linked(text)}</pre>`;
  return page(
    "en",
    subject,
    `<div class="wide"><p><a href="${mailPrefix}">All messages</a> · ${other}</p>
<p>From ${escapeHtml(from)}<br>To ${escapeHtml(to)}<br>${time(at)}</p>
${isPlain ? plain : frame}</div>`,
  );
}

function linked(text: string): string {
  return escapeHtml(text).replace(/https?:\/\/\S+/g, (url) => `<a href="${url}">${url}</a>`);
}

function time(at: string): string {
  return `${at.slice(0, 10)} ${at.slice(11, 16)} UTC`;
}
