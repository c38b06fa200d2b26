import axios, { type AxiosAdapter, type AxiosInstance } from 'axios';
import { readApiBase } from './api-base.ts';

/** Creates an axios instance for our server, without a session. It also sends cookies to an API on another origin. */
export function openTransport(adapter?: AxiosAdapter, apiUrl: string = readApiBase()): AxiosInstance {
  return axios.create({
    baseURL: apiUrl,
    withCredentials: apiUrl !== '',
    timeout: 60_000,
    paramsSerializer: { indexes: null },
    ...(adapter ? { adapter } : {}),
  });
}
