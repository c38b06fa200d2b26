import { people, password } from './people.ts';

interface Asked {
  readonly questions: readonly { readonly name: string; readonly choices: readonly { readonly uid: string }[] }[];
}

/**
 * Answers the tour form for the people of the journeys; the answers are valid for hours. Only the journey of the form
 * itself sees the form, as another person.
 */
export async function answerTourForms(
  address: string,
  location = 'HB-M10',
  usernames: readonly string[] = [people.admin, people.staff, people.visitor],
): Promise<void> {
  for (const username of usernames) {
    const { accessToken } = await call<{ readonly accessToken: string }>(address, 'POST', '/auth/pub/user/login', {
      username,
      password,
    });
    const { questions } = await call<Asked>(address, 'GET', `/api/feedback/${location}/form`, undefined, accessToken);
    const chosen = questions.map(({ name, choices }) => [name, choices[0]?.uid ?? '']);
    await call(
      address,
      'PUT',
      `/api/feedback/${location}/forms/${crypto.randomUUID()}`,
      { typeOfWork: '', activity: '', rating: null, ...Object.fromEntries(chosen) },
      accessToken,
    );
  }
}

/** Calls the API; rejects with the reply if it is an error. */
export async function call<T>(
  address: string,
  method: string,
  path: string,
  body?: unknown,
  token?: string,
): Promise<T> {
  const reply = await fetch(new URL(path, address), {
    method,
    headers: {
      ...(body === undefined ? {} : { 'content-type': 'application/json' }),
      ...(token === undefined ? {} : { authorization: `Bearer ${token}` }),
    },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
  if (!reply.ok) throw new Error(`${method} ${path} was answered with ${reply.status}: ${await reply.text()}`);
  return (await reply.json()) as T;
}
