import styles from './header.module.css';

export const Logo = () => (
  <h1 className={styles.logo}>
    <svg
      width="20"
      height="20"
      viewBox="0 0 20 20"
      fill="none"
      stroke="currentColor"
      strokeWidth="1.8"
      strokeLinecap="round"
      aria-hidden
    >
      <path d="M4 17.5h12M10 17V9M10 13.5C6.5 13 5.5 10.5 5.5 7M10 11.5c3.5-.4 4.5-3 4.5-6M10 9c0-2.5-.6-4.3-1.6-6" />
    </svg>
    <span className={styles.logoName}>Coppice</span>
  </h1>
);
