import { useEffect, useRef, useState } from 'react';
import { useApp } from '../app-context.ts';
import { modelNews } from './model-news.ts';

/** What there is to say of the models until something else is said: old news would be read out again after it. */
export const useModelNews = (spokenOver: boolean): string | null => {
  const models = useApp((state) => state.models);
  const last = useRef(models);
  const [news, setNews] = useState<string | null>(null);
  useEffect(() => {
    const said = modelNews(last.current, models);
    last.current = models;
    if (said !== null) setNews(said);
  }, [models]);
  useEffect(() => {
    if (spokenOver) setNews(null);
  }, [spokenOver]);
  return news;
};
