import { Type } from 'typebox';
import { definePlugin } from '#core';

const HttpUrl = (description: string, contentSecurity: readonly string[] = []) =>
  Type.String({ pattern: '^https?://[^\\s]+$', description, contentSecurity });
const fileDirectives = ['script-src', 'style-src', 'connect-src', 'img-src', 'font-src'];

export default definePlugin({
  id: 'model-3d',
  title: 'model-3d.title',
  settings: Type.Object(
    {
      engine: Type.Enum(['builtin', 'external'], {
        default: 'builtin',
        description: "The product's own engine, or the external viewer of Autodesk Platform Services, version 7.*.",
      }),
      external: Type.Optional(
        Type.Object(
          {
            script: HttpUrl("The service's script.", [...fileDirectives, 'worker-src blob:']),
            styles: Type.Optional(HttpUrl("The service's style sheet.", ['style-src', 'img-src', 'font-src'])),
            service: HttpUrl('URL from which the script loads models. The content security policy allows its origin.', [
              'connect-src',
              'img-src',
            ]),
            token: HttpUrl(
              'Token endpoint (OAuth 2.0, client credentials). Client and secret come from MODEL_VIEWER_CLIENT_ID ' +
                'and MODEL_VIEWER_CLIENT_SECRET.',
            ),
            env: Type.String({ default: 'AutodeskProduction2', description: 'Environment of the service.' }),
            api: Type.String({ default: 'streamingV2', description: 'API of the service.' }),
            urns: Type.Record(Type.String(), Type.String(), {
              default: {},
              description: 'The URN of the model of each location, by the uid of the location.',
            }),
          },
          { additionalProperties: false, description: 'Required if the engine is external.' },
        ),
      ),
    },
    {
      additionalProperties: false,
      if: { properties: { engine: { const: 'builtin' } } },
      else: { required: ['external'] },
    },
  ),
  access: ['threeDimensionalAccess', 'configure'],
  requires: ['tour'],
  bridges: ['imports'],
});
