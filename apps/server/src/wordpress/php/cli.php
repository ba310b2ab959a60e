<?php
// Runs a command of WP-CLI, and prints what it prints as lines: `out` or `err` with base64, and `exit` with the exit
// code. Run by the platform; visitors cannot reach it.
namespace WP_CLI\Utils {
	/** WP-CLI reads these from its environment, which a site's PHP does not have. */
	function getenv( $name ) {
		$values = array(
			'HOME'             => sys_get_temp_dir(),
			'WP_CLI_CACHE_DIR' => sys_get_temp_dir() . '/wp-cli',
			// WP-CLI evaluates this file without its last line.
			'WP_CONFIG_PATH'   => __DIR__ . '/wp-config.php',
		);
		return $values[ $name ] ?? \getenv( $name );
	}
}

namespace {
	$nido_phar = dirname( __DIR__ ) . '/wp-cli/wp-cli.phar';
	if ( ! file_exists( $nido_phar ) ) {
		http_response_code( 501 );
		exit;
	}

	/** STDOUT and STDERR, past the output buffers that WordPress and plugins begin. */
	class Nido_Stream {
		public static $has_problems = false;
		private static $lines       = '';
		private static $is_framed   = false;
		public $context;
		private $kind;

		public function stream_open( $path ) {
			$this->kind = parse_url( $path, PHP_URL_HOST );
			return true;
		}

		public function stream_write( $text ) {
			self::$has_problems = self::$has_problems || preg_match( '~^(Error|Warning):~', $text );
			self::$lines       .= self::frame( $this->kind, $text );
			if ( 1 === ob_get_level() ) {
				self::$is_framed = true;
				echo self::take_lines();
				self::$is_framed = false;
			}
			return strlen( $text );
		}

		// WP-CLI asks whether it is a terminal.
		public function stream_stat() {
			return array();
		}

		/** What was printed in another way is framed, too. */
		public static function filter( $text ) {
			return self::$is_framed ? $text : self::take_lines() . self::frame( 'out', $text );
		}

		public static function take_lines() {
			$lines       = self::$lines;
			self::$lines = '';
			return $lines;
		}

		private static function frame( $kind, $text ) {
			return '' === $text ? '' : $kind . ' ' . base64_encode( $text ) . "\n";
		}
	}

	stream_wrapper_register( 'nido', 'Nido_Stream' );
	while ( ob_get_level() ) {
		ob_end_clean();
	}
	ob_implicit_flush();
	echo "out \n"; // From here on, the status of the response is certain, whatever happens.
	ob_start( array( 'Nido_Stream', 'filter' ), 1 );
	define( 'STDIN', fopen( 'php://memory', 'r' ) );
	define( 'STDOUT', fopen( 'nido://out', 'w' ) );
	define( 'STDERR', fopen( 'nido://err', 'w' ) );

	/** PHP does not tell the status that a command has passed to exit(). Most of those that fail say why. */
	function nido_status() {
		$fatal = array( E_ERROR, E_PARSE, E_CORE_ERROR, E_COMPILE_ERROR, E_RECOVERABLE_ERROR );
		if ( in_array( error_get_last()['type'] ?? 0, $fatal, true ) ) {
			return 255;
		}
		return $GLOBALS['nido_exit'] ?? (int) Nido_Stream::$has_problems;
	}

	register_shutdown_function(
		static function () {
			// After everything that WordPress and plugins do at the end.
			register_shutdown_function(
				static function () {
					while ( ob_get_level() ) {
						ob_end_flush();
					}
					echo Nido_Stream::take_lines() . 'exit ' . nido_status() . "\n";
				}
			);
		}
	);

	$GLOBALS['argv'] = array( 'wp', ...json_decode( $_SERVER['NIDO_CLI'] ), '--path=' . $_SERVER['DOCUMENT_ROOT'], '--no-color', '--allow-root' );
	$argc            = count( $argv );
	// Its own start refuses to run in a web server's PHP.
	Phar::loadPhar( $nido_phar, 'wp-cli.phar' );
	define( 'WP_CLI_PHAR_PATH', $nido_phar );
	define( 'WP_CLI_ROOT', 'phar://wp-cli.phar/vendor/wp-cli/wp-cli' );
	require WP_CLI_ROOT . '/php/class-wp-cli.php';
	( new ReflectionProperty( 'WP_CLI', 'capture_exit' ) )->setValue( null, true );
	foreach ( array( 1, 2, 3 ) as $nido_words ) {
		WP_CLI::add_hook( 'after_invoke:' . implode( ' ', array_slice( $argv, 1, $nido_words ) ), static fn () => $GLOBALS['nido_exit'] = 0 );
	}
	try {
		require WP_CLI_ROOT . '/php/wp-cli.php';
	} catch ( WP_CLI\ExitException $nido_end ) {
		$nido_exit = $nido_end->getCode();
	}
}
