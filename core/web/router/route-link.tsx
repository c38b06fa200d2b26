import type { ComponentPropsWithRef } from 'react';
import { observer } from 'mobx-react-lite';
import { Link } from 'react-router-dom';
import type { ParamsOf, RouteRef } from '#core';
import { Navigation } from '../kernel/services.ts';
import { useService } from '../kernel/use-service.ts';

type LinkTarget<R extends RouteRef> = { readonly to: R } & (keyof ParamsOf<R> extends never
  ? { readonly params?: undefined }
  : { readonly params: ParamsOf<R> });
export type RouteLinkProps<R extends RouteRef> = LinkTarget<R> & { readonly search?: string } & Omit<
    ComponentPropsWithRef<'a'>,
    'href'
  >;

/** A link to a screen. Renders nothing if the screen's plugin is off or the person may not see it. */
export const RouteLink = observer(function RouteLink<R extends RouteRef>({
  to,
  params,
  search,
  ...anchor
}: RouteLinkProps<R>) {
  const url = useService(Navigation).linkTo(to, (params ?? {}) as ParamsOf<R>);
  return url === undefined ? null : (
    <Link to={search === undefined ? url : `${url}?${search.replace(/^\?/, '')}`} {...anchor} />
  );
});
