package dev.postcommit.bench.contender;

/** How events are spread over keys. */
public enum Keys {
  /** 10,000 keys that take turns. */
  SPREAD {
    @Override
    public int of(int n) {
      return n % COUNT;
    }
  },

  /** 1,000 keys that take turns. */
  FEW {
    @Override
    public int of(int n) {
      return n % (COUNT / 10);
    }
  },

  /** One key for all. */
  HOT {
    @Override
    public int of(int n) {
      return 0;
    }
  },

  /** 10,000 keys, the k-th about 1/k as frequent as the first. */
  SKEWED {
    @Override
    public int of(int n) {
      double even = (Integer.toUnsignedLong(n * 0x9E3779B9) + 0.5) / (1L << 32);
      return (int) Math.pow(COUNT, even) - 1;
    }
  };

  private static final int COUNT = 10_000;

  /** The number of the key of event {@code n}, from 0. */
  public abstract int of(int n);
}
