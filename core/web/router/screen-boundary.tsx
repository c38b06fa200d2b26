import { Component, type ReactNode } from 'react';
import { logError } from '../kernel/log.ts';
import { usePluginScope } from '../kernel/plugin-scope.tsx';
import { ApiError } from '../kernel/services.ts';
import { ChunkLoadError } from '../kernel/load-chunk.ts';
import { ChunkFailure } from './chunk-failure.tsx';
import { forgetFailedLoads } from './loaded.ts';
import { useAppComponents } from './app-components.ts';

interface CaughtError {
  readonly error: unknown;
  readonly reference: string;
}

interface BoundaryProps {
  readonly children: ReactNode;
  /** Name of the content, for the log. */
  readonly name: string;
  readonly fallback: (caught: CaughtError, reset: () => void) => ReactNode;
}

/** Error boundary for a part of the page. A new `key` resets it. */
export class ErrorBoundary extends Component<BoundaryProps, { readonly caught: CaughtError | undefined }> {
  override state: { readonly caught: CaughtError | undefined } = { caught: undefined };

  static getDerivedStateFromError(error: unknown): { readonly caught: CaughtError } {
    return { caught: { error, reference: findReference(error) } };
  }

  override componentDidCatch(error: unknown): void {
    logError(`'${this.props.name}' could not be rendered (reference ${this.state.caught?.reference ?? '-'}).`, error);
  }

  override render(): ReactNode {
    const { caught } = this.state;
    return caught ? this.props.fallback(caught, () => this.setState({ caught: undefined })) : this.props.children;
  }
}

/** The server's reference if the server caused the failure, else a new one. */
function findReference(error: unknown): string {
  return (error instanceof ApiError ? error.body?.reference : undefined) ?? crypto.randomUUID().slice(0, 8);
}

/** Boundary of a screen or contribution. It shows the failure and offers a retry, or a reload if code is missing. */
export function ScreenBoundary({
  name,
  onRetry,
  children,
}: {
  readonly name: string;
  readonly onRetry?: () => void;
  readonly children: ReactNode;
}) {
  return (
    <ErrorBoundary
      name={name}
      fallback={(caughtError, reset) => (
        <Failure
          caught={caughtError}
          reset={() => {
            onRetry?.();
            reset();
          }}
        />
      )}
    >
      {children}
    </ErrorBoundary>
  );
}

function Failure({ caught, reset }: { readonly caught: CaughtError; readonly reset: () => void }) {
  const components = useAppComponents();
  const { host } = usePluginScope();
  const retry = () => {
    forgetFailedLoads();
    void host.forgetFailures().then(reset);
  };
  const { error, reference } = caught;
  return error instanceof ChunkLoadError ? (
    <ChunkFailure error={error} retry={retry} />
  ) : (
    <components.failed error={error} reference={reference} retry={retry} />
  );
}
