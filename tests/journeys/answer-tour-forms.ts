import { setTimeout as pause } from 'node:timers/promises';
import { people, password } from './people.ts';

interface TourForm {
  readonly questions: readonly { readonly name: string; readonly choices: readonly { readonly uid: string }[] }[];
}

/**
 * Answers the tour form for the people of the journeys and skips its rating. The answers are valid for hours, so only
 * the journey about the form sees it, with another person.
 */
export async function answerTourForms(
  url: string,
  location = 'HB-M10',
  usernames: readonly string[] = [people.admin, people.staff, people.visitor],
): Promise<void> {
  for (const username of usernames) {
    const { accessToken } = await callApi<{ readonly accessToken: string }>(url, 'POST', '/auth/pub/user/login', {
      username,
      password,
    });
    const { questions } = await callApi<TourForm>(url, 'GET', `/api/feedback/${location}/form`, undefined, accessToken);
    const answers = questions.map(({ name, choices }) => [name, choices[0]?.uid ?? '']);
    const form = `/api/feedback/${location}/forms/${crypto.randomUUID()}`;
    await callApi(url, 'PUT', form, { typeOfWork: '', activity: '', ...Object.fromEntries(answers) }, accessToken);
    await callApi(url, 'PUT', `${form}/rating`, { rating: null }, accessToken);
  }
}

/** Maximum number of tries of a call while the server is busy, as at its start on a slow machine. */
const maxBusyReplies = 10;

/**
 * Calls the API. Like the browser, repeats the call while the server is busy (503). Rejects if the status is an error,
 * with the reply in the message.
 */
export async function callApi<T>(
  url: string,
  method: string,
  path: string,
  body?: unknown,
  token?: string,
): Promise<T> {
  const send = () =>
    fetch(new URL(path, url), {
      method,
      headers: {
        ...(body === undefined ? {} : { 'content-type': 'application/json' }),
        ...(token === undefined ? {} : { authorization: `Bearer ${token}` }),
      },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
  let reply = await send();
  for (let busyReplies = 1; reply.status === 503 && busyReplies < maxBusyReplies; busyReplies++) {
    await pause(1000 * Number(reply.headers.get('retry-after') ?? 1));
    reply = await send();
  }
  if (!reply.ok) throw new Error(`${method} ${path} was answered with ${reply.status}: ${await reply.text()}`);
  return (await reply.json()) as T;
}
