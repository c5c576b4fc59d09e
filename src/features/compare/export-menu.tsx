import { Download } from 'lucide-react';
import { conversationTitle } from '../../domain/queries.ts';
import { errorMessage } from '../../engine/model-failure.ts';
import { useActions, useAppState } from '../../ui/app-context.ts';
import { Button } from '../../ui/parts/button.tsx';
import { download } from '../../ui/parts/download.ts';
import { count, counted, percent } from '../../ui/parts/format.ts';
import { Menu, MenuItem } from '../../ui/parts/menu.tsx';
import { colourReader, pngOf, readInks } from '../../ui/parts/picture.ts';
import { chartSvg, heightOf, WIDTH } from './chart-picture.ts';
import type { CompareRun } from './compare-run.ts';
import { comparisonCsv, comparisonJson, comparisonName } from './compare-run-export.ts';
import { BASELINE, type CompareRow, sumsOf } from './compare-run-rows.ts';
import { tokenSeries } from './cost-table.tsx';

/** Everything that was compared, as files: the figures for other programs, the chart for a page. */
export const ExportMenu = ({ run, rows }: { run: CompareRun; rows: readonly CompareRow[] }) => {
  const { announce } = useActions();
  const state = useAppState();
  const from = () => {
    const { forest, settings } = state();
    return { ...run.store.getState(), rows, forest, settings };
  };
  const svg = () => {
    const { names, forest } = from();
    const { read, done } = colourReader();
    const series = tokenSeries(rows, names).map((one) => ({ ...one, colour: read(one.colour) }));
    const inks = readInks(read);
    done();
    return chartSvg({
      title: `${conversationTitle(forest)}: tokens sent for each turn`,
      about: `${counted(rows.length, 'turn')}, each as every policy would have sent it · counted by ${rows[0]?.unit ?? ''}`,
      numbers: rows.map(({ number }) => number),
      series,
      notes: names.map((name) => noteOf(rows, name)),
      inks,
    });
  };
  const csv = () => {
    const { name, text } = comparisonCsv(from());
    download(name, text, 'text/csv');
  };
  const json = () => {
    const { name, text } = comparisonJson(from());
    download(name, text, 'application/json');
  };
  const picture = async () => {
    const { names, forest } = from();
    try {
      download(comparisonName(forest, 'png'), await pngOf(svg(), WIDTH, heightOf(names.length)), 'image/png');
    } catch (error) {
      const why = errorMessage(error);
      announce(`The picture could not be made: ${why}. Export it as SVG instead.`);
    }
  };
  return (
    <Menu
      label="Export the comparison"
      align="end"
      trigger={
        <Button disabled={rows.length === 0} aria-label="Export the comparison">
          <Download size={14} aria-hidden />
          Export
        </Button>
      }
    >
      <MenuItem onSelect={csv} detail="CSV">
        Figures for a spreadsheet
      </MenuItem>
      <MenuItem onSelect={json} detail="JSON">
        Figures for a program
      </MenuItem>
      <MenuItem onSelect={() => download(comparisonName(from().forest, 'svg'), svg(), 'image/svg+xml')} detail="SVG">
        Chart as a drawing
      </MenuItem>
      <MenuItem onSelect={() => void picture()} detail="PNG">
        Chart as a picture
      </MenuItem>
    </Menu>
  );
};

/** `mean 410, 41 % of ${BASELINE}` */
const noteOf = (rows: readonly CompareRow[], name: string): string => {
  const { turns, tokens, share } = sumsOf(rows, name);
  if (turns === 0) return '';
  return `${count(tokens / turns)} a turn${share === null ? '' : `, ${percent(share)} of ${BASELINE}`}`;
};
