/** The C library of native packages on Linux. Undefined on other systems. */
export function findLibcName(): 'glibc' | 'musl' | undefined {
  if (process.platform !== 'linux') return undefined;
  const { header } = process.report.getReport() as { readonly header: { readonly glibcVersionRuntime?: string } };
  return header.glibcVersionRuntime === undefined ? 'musl' : 'glibc';
}

/** The platform of native packages, such as `linux-x64-glibc`, `linux-arm64-musl`, `darwin-arm64` or `win32-x64`. */
export function getPlatformName(): string {
  const libc = findLibcName();
  return [process.platform, process.arch, ...(libc === undefined ? [] : [libc])].join('-');
}
